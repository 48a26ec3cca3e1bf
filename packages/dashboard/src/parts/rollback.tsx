import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { bodyOf } from "../api/client.js";
import { useProject } from "../api/project.js";
import { t } from "../text/index.js";
import { TextArea } from "../ui/field.js";
import { toast } from "../ui/toast.js";
import { DangerDialog } from "./danger-dialog.js";

/** Undoes a redemption, alone or with all of its stack, from wherever it is shown. Whatever is shown of it is read anew. */
export function RollBack({ redemption_id, onClose }: { redemption_id: string; onClose: () => void }) {
  const { api } = useProject();
  const queries = useQueryClient();
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState(false);
  const rollBack = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST("/v1/redemptions/{redemptionId}/rollbacks", {
          params: { path: { redemptionId: redemption_id } },
          body: { reason },
        }),
      ),
    onSuccess: async () => {
      toast(t.redemptions.rolled_back);
      onClose();
      await queries.invalidateQueries();
    },
  });
  const submit = () => {
    setAsked(true);
    if (reason.trim() !== "") rollBack.mutate();
  };
  return (
    <DangerDialog
      deed={rollBack}
      title={t.redemptions.roll_back_title}
      submit={t.redemptions.roll_back}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t.redemptions.roll_back_lead}</p>
      <TextArea
        label={t.vouchers.reason}
        value={reason}
        onChange={setReason}
        error={asked && reason.trim() === "" ? t.vouchers.reason_missing : undefined}
      />
    </DangerDialog>
  );
}
