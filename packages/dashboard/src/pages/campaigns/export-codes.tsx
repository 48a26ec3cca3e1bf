import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { reasonIn } from "../../api/answer.js";
import { bodyOf, type Schemas } from "../../api/client.js";
import { pathOf } from "../../api/files.js";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Button, look, withIcon } from "../../ui/button.js";
import { Notice } from "../../ui/page.js";

const asked_again_ms = 1_000;

/** All codes of a campaign as a file: asked for, waited for, and handed to the browser when it is there. */
export function ExportCodes({ campaign_id }: { campaign_id: string }) {
  const { api } = useProject();
  const begin = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST("/v1/exports", {
          body: {
            exported_object: "voucher",
            parameters: { filters: { campaign_ids: { conditions: { $in: [campaign_id] } } } },
          } as unknown as Schemas["ExportCreate"],
        }),
      ),
  });
  const id = begin.data?.id;
  const file = useQuery({
    queryKey: ["exports", id],
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (/^(DONE|ERROR)$/.test(state.data?.status ?? "") ? false : asked_again_ms),
    queryFn: async () => {
      const at = { params: { path: { exportId: id ?? "" } } };
      return (await bodyOf(api.GET("/v1/exports/{exportId}", at))) as Schemas["Export"];
    },
  });
  const href = file.data?.result?.url ? pathOf(file.data.result.url) : null;
  useEffect(() => {
    if (href) location.assign(href);
  }, [href]);
  const error = begin.error ?? file.error;
  return (
    <>
      {error && <Notice>{reasonIn(error)}</Notice>}
      {file.data?.status === "ERROR" && <Notice>{file.data.error?.message ?? t.campaigns.export_failed}</Notice>}
      {href ? (
        <a {...look({})} href={href} download>
          {withIcon("download", t.campaigns.export_ready)}
        </a>
      ) : (
        <Button icon="download" busy={begin.isPending || (id !== undefined && !error)} onClick={() => begin.mutate()}>
          {id === undefined ? t.campaigns.export : t.campaigns.exporting}
        </Button>
      )}
    </>
  );
}
