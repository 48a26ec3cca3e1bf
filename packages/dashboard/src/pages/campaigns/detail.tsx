import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Answer, reasonIn } from "../../api/answer.js";
import { type Campaign, isGenerating, stateOf } from "../../api/campaign.js";
import { bodyOf, type Schemas } from "../../api/client.js";
import { useProject } from "../../api/project.js";
import { CampaignStatus } from "../../parts/campaign-status.js";
import { ImportLink } from "../../parts/import-link.js";
import { Metadata } from "../../parts/metadata.js";
import { Timeline } from "../../parts/timeline.js";
import { t } from "../../text/index.js";
import { Button, look, withIcon } from "../../ui/button.js";
import { Crumbs } from "../../ui/crumbs.js";
import { Card, Columns, Facts, Notice, PageHead, Stack } from "../../ui/page.js";
import { Tiles } from "../../ui/tiles.js";
import { toast } from "../../ui/toast.js";
import styles from "./campaigns.module.css";
import { campaignQuery, campaignTimelineQuery, summaryQuery } from "./campaigns.queries.js";
import { hoursWords } from "./edit-form.js";
import { ExportCodes } from "./export-codes.js";
import { givesWords, Runs } from "./list.js";

const words = t.campaigns;
const edit = t.campaign_edit;

/** One campaign: whether it runs, what it did, and the switch that stops it. */
export function CampaignPage() {
  const project = useProject();
  const { campaign: id } = useParams({ strict: false }) as { campaign: string };
  const campaign = useQuery(campaignQuery(project, id));
  return (
    <Answer of={campaign} what={words.one}>
      {(campaign) => (
        <>
          <Crumbs to={`/p/${project.id}/campaigns`}>{words.title}</Crumbs>
          <Head campaign={campaign} />
          <Columns>
            <Stack>
              {isGenerating(campaign) && <Notice tone="info">{words.still_generating}</Notice>}
              <Numbers id={campaign.id} />
              <Happened id={campaign.id} />
            </Stack>
            <Stack>
              <Details campaign={campaign} />
              <Metadata of={campaign.metadata} />
            </Stack>
          </Columns>
        </>
      )}
    </Answer>
  );
}

function Head({ campaign }: { campaign: Campaign }) {
  const project = useProject();
  const has_codes = campaign.vouchers_count !== undefined;
  return (
    <PageHead
      title={campaign.name}
      lead={
        <span className={styles.lead}>
          <CampaignStatus state={stateOf(campaign)} />
          {givesWords(campaign, project)}
        </span>
      }
    >
      {has_codes && (
        <Link {...look({})} to={`/p/${project.id}/vouchers`} search={{ campaign: campaign.name } as never}>
          {withIcon("ticket", words.see_codes)}
        </Link>
      )}
      {has_codes && !isGenerating(campaign) && project.may("exports.create") && (
        <ExportCodes campaign_id={campaign.id} />
      )}
      {has_codes && campaign.type !== "STANDALONE" && (
        <ImportLink of="campaign" needs="campaigns.importCSV.create" campaign={campaign.id} />
      )}
      {project.may("campaigns.update") && (
        <Link {...look({})} to={`/p/${project.id}/campaigns/${campaign.id}/edit`}>
          {withIcon("pencil", t.campaign_edit.edit)}
        </Link>
      )}
      <Switch campaign={campaign} />
    </PageHead>
  );
}

/** Acts at once, and can be taken back as quickly. */
function Switch({ campaign }: { campaign: Campaign }) {
  const { api, may } = useProject();
  const queries = useQueryClient();
  const { id, name } = campaign;
  const set = useMutation({
    mutationFn: async (active: boolean) => {
      const at = { params: { path: { campaignId: id } } };
      if (active) await bodyOf(api.POST("/v1/campaigns/{campaignId}/enable", at));
      else await bodyOf(api.POST("/v1/campaigns/{campaignId}/disable", at));
    },
    onSuccess: async (_answer, active) => {
      toast((active ? words.enabled : words.disabled)(name), () => set.mutate(!active));
      await queries.invalidateQueries({ queryKey: ["campaigns"] });
    },
  });
  const is_off = campaign.active === false;
  if (!may(is_off ? "campaigns.enable.create" : "campaigns.disable.create")) return null;
  return (
    <>
      {set.error && <Notice>{reasonIn(set.error)}</Notice>}
      <Button icon={is_off ? "playerPlay" : "ban"} busy={set.isPending} onClick={() => set.mutate(is_off)}>
        {is_off ? words.enable : words.disable}
      </Button>
    </>
  );
}

function Numbers({ id }: { id: string }) {
  const summary = useQuery(summaryQuery(useProject(), id));
  return (
    <Card title={words.numbers}>
      <Answer of={summary} what={words.numbers}>
        {(numbers) => <Sums numbers={numbers} />}
      </Answer>
    </Card>
  );
}

function Sums({ numbers }: { numbers: Schemas["CampaignSummary"] }) {
  const { count, money } = useProject();
  const { redemptions_succeeded: succeeded, redemptions_failed: failed, rollbacks_succeeded } = numbers;
  const attempts = succeeded + failed;
  const percent = attempts === 0 ? null : `${Math.round((100 * succeeded) / attempts)} %`;
  const discounted = (numbers.discounted_amount ?? 0) - (numbers.rolledback_discounted_amount ?? 0);
  const { publications_succeeded: published } = numbers;
  return (
    <Tiles
      of={[
        [words.redemptions, count(succeeded), percent ? words.of_attempts(percent) : ""],
        [words.refused, count(failed)],
        [words.rolled_back, count(rollbacks_succeeded)],
        [words.discounts, money(numbers.amount_redeemed ?? discounted)],
        [words.orders, money(numbers.orders_amount)],
        ...(published === undefined ? [] : [[words.published, count(published)] as const]),
      ]}
    />
  );
}

function Happened({ id }: { id: string }) {
  const timeline = useInfiniteQuery(campaignTimelineQuery(useProject(), id));
  return (
    <Card title={words.timeline} flush>
      <Timeline of={timeline} />
    </Card>
  );
}

function Details({ campaign }: { campaign: Campaign }) {
  const project = useProject();
  const { campaign_type, vouchers_count, created_at, updated_at, description } = campaign;
  const { validity_day_of_week: weekdays, validity_hours: hours, validity_timeframe: timeframe } = campaign;
  return (
    <Card title={words.details}>
      <Facts
        of={[
          [words.type, words.types[campaign_type] ?? campaign_type],
          [words.gives, givesWords(campaign, project)],
          [words.codes, vouchers_count === undefined ? undefined : project.count(vouchers_count)],
          [words.runs, <Runs key="runs" campaign={campaign} />],
          [edit.weekdays, weekdays?.map((day) => edit.days[day]).join(", ")],
          [edit.hours, hours?.daily.map(hoursWords).join(", ")],
          [edit.timeframe, timeframe && edit.timeframe_words(timeframe)],
          [words.category, campaign.categories?.map(({ name }) => name).join(", ")],
          [t.wizard.description, description],
          [words.created, created_at ? project.dates.minute(created_at) : undefined],
          [words.changed, updated_at ? project.dates.minute(updated_at) : undefined],
          [words.id, <code key="id">{campaign.id}</code>],
        ]}
      />
    </Card>
  );
}
