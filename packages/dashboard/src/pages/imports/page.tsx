import { useSearch } from "@tanstack/react-router";
import { NotYours } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { Crumbs } from "../../ui/crumbs.js";
import { SelectField, TextField } from "../../ui/field.js";
import { FileField } from "../../ui/file-field.js";
import { Card, Notice, PageHead, Stack } from "../../ui/page.js";
import { ColumnsCard } from "./columns.js";
import { sizeOf } from "./head.js";
import styles from "./imports.module.css";
import { type KindName, kind_names, kindOf } from "./kinds.js";
import { Preview } from "./preview.js";
import { type Importing, useImport } from "./use-import.js";

const words = t.imports;

/** Imports a file: what it holds, which column is what, how its first rows will look. */
export function ImportPage() {
  const { may } = useProject();
  const allowed = kind_names.filter((name) => may(kindOf(name).needs));
  const search = useSearch({ strict: false }) as { of?: string; campaign?: string };
  const first = allowed.find((name) => name === search.of) ?? allowed[0];
  if (!first) return <NotYours what={words.title} />;
  return <Import allowed={allowed} first={first} campaign={search.campaign ?? ""} />;
}

interface ImportProps {
  allowed: readonly KindName[];
  first: KindName;
  campaign: string;
}

function Import({ allowed, first, campaign }: ImportProps) {
  const { id } = useProject();
  const of = useImport(first, campaign);
  const { kind, targets, faults, is_asked, refusal } = of;
  const { head } = of.chosen;
  return (
    <>
      <Crumbs to={`/p/${id}/tasks`}>{t.tasks.title}</Crumbs>
      <PageHead title={words.title} lead={words.lead} />
      <form ref={of.fields} onSubmit={of.submit} noValidate>
        <Stack>
          {refusal.above && <Notice>{refusal.above}</Notice>}
          <What of={of} allowed={allowed} />
          <ItsFile of={of} />
          {head && (
            <>
              <ColumnsCard
                {...{ kind, head, targets, faults, is_asked }}
                onChange={(place, target) => of.setTarget({ place, target })}
              />
              <Preview {...{ kind, head, targets }} />
            </>
          )}
          <footer className={styles.foot}>
            <Button type="submit" kind="primary" busy={of.is_busy}>
              {words.start}
            </Button>
          </footer>
        </Stack>
      </form>
    </>
  );
}

const What = ({ of, allowed }: { of: Importing; allowed: readonly KindName[] }) => (
  <Card title={words.what}>
    <div className={styles.two}>
      <SelectField
        label={words.objects}
        hint={words.leads[of.name]}
        value={of.name}
        options={allowed.map((one) => ({ value: one, label: words.kinds[one] }))}
        onChange={of.setName}
      />
      {of.name === "campaign" && (
        <TextField
          label={words.campaign}
          hint={words.campaign_hint}
          dir="auto"
          value={of.campaign}
          error={of.refusal.campaign ?? (of.is_asked && of.is_campaign_missing ? words.campaign_missing : undefined)}
          onChange={of.setCampaign}
        />
      )}
    </div>
  </Card>
);

function ItsFile({ of }: { of: Importing }) {
  const { file, head, fault, is_reading } = of.chosen;
  const separated = head && words.separated[head.separator];
  return (
    <Card title={words.file}>
      <Stack>
        <FileField
          label={words.file}
          accept=".csv,.txt,text/csv,text/plain"
          choose={file ? words.choose_other : words.choose}
          or_drop={words.or_drop}
          hint={words.file_hint}
          chosen={
            file && (
              <>
                <bdi>{file.name}</bdi> · {sizeOf(file)}
              </>
            )
          }
          error={of.refusal.file ?? fault ?? (of.is_asked && !file ? words.file_missing : undefined)}
          onChoose={of.choose}
        />
        {is_reading && <p role="status">{words.reading}</p>}
        {separated && <Notice tone="info">{separated}</Notice>}
      </Stack>
    </Card>
  );
}
