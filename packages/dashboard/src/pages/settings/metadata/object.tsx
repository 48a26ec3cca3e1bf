import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Answer, NotYours, reasonIn } from "../../../api/answer.js";
import { useProject } from "../../../api/project.js";
import { DangerDialog } from "../../../parts/danger-dialog.js";
import { t } from "../../../text/index.js";
import { Button } from "../../../ui/button.js";
import { Crumbs } from "../../../ui/crumbs.js";
import { Check } from "../../../ui/field.js";
import { Card, Columns, Notice, Stack, State } from "../../../ui/page.js";
import { PropertyForm } from "./form.js";
import styles from "./metadata.module.css";
import { type Schema, schemasQuery, useSchemaDeeds } from "./metadata.queries.js";
import { isObject, isPurged } from "./objects.js";
import { type Asked, Defined, Removed } from "./properties.js";
import { Purge } from "./purge.js";

const words = t.metadata;

/** The metadata of one kind of object: its properties, those that were removed, and what becomes of other keys. */
export function MetadataObjectPage() {
  const project = useProject();
  const { object } = useParams({ strict: false }) as { object: string };
  const may = project.may("metadata-schemas.read");
  const schemas = useQuery({ ...schemasQuery(project), enabled: may });
  if (!may) return <NotYours what={words.title} />;
  return (
    <Answer of={schemas} what={words.title}>
      {(list) => (
        <>
          <div className={styles.above}>
            <Crumbs to={`/p/${project.id}/settings/metadata`}>{words.title}</Crumbs>
          </div>
          <Whole object={object} schema={list.find(({ related_object }) => related_object === object)} />
        </>
      )}
    </Answer>
  );
}

interface OfObject {
  object: string;
  schema: Schema | undefined;
}

function Whole({ object, schema }: OfObject) {
  const { may } = useProject();
  const [asked, setAsked] = useState<Asked | null>(null);
  const onClose = () => setAsked(null);
  const rows = Object.entries(schema?.properties ?? {}).map(([name, definition]) => ({ name, definition }));
  const add = may("metadata-schemas.update") && (
    <Button kind="primary" icon="plus" onClick={() => setAsked({ deed: "make" })}>
      {words.add}
    </Button>
  );
  const may_purge = isPurged(object) && may("metadata-schemas.purges.create");
  const removed = rows.filter(({ definition }) => definition.deleted);
  const defined = rows.filter(({ definition }) => !definition.deleted);
  return (
    <>
      <Columns>
        <Stack>
          <Card title={isObject(object) ? words.objects[object] : object} action={add} flush>
            {defined.length === 0 ? (
              <State icon="tag" title={words.none}>
                {words.none_lead}
              </State>
            ) : (
              <Defined rows={defined} object={object} schema={schema} ask={setAsked} />
            )}
          </Card>
          {(removed.length > 0 || may_purge) && (
            <Removed rows={removed} object={object} schema={schema} ask={setAsked} may_purge={may_purge} />
          )}
        </Stack>
        <Stack>
          <Others object={object} schema={schema} />
          {schema && may("metadata-schemas.delete") && (
            <div>
              <Button kind="quiet" icon="trash" onClick={() => setAsked({ deed: "clear" })}>
                {words.clear}
              </Button>
            </div>
          )}
        </Stack>
      </Columns>
      {asked?.deed === "make" && <PropertyForm object={object} schema={schema} onClose={onClose} />}
      {asked?.deed === "edit" && <PropertyForm object={object} schema={schema} of={asked} onClose={onClose} />}
      {asked?.deed === "purge" && isPurged(object) && (
        <Purge object={object} of={"name" in asked ? asked.name : undefined} onClose={onClose} />
      )}
      {asked?.deed === "clear" && schema && <Clear object={object} schema={schema} onClose={onClose} />}
    </>
  );
}

/** What becomes of keys that nobody defined. */
function Others({ object, schema }: OfObject) {
  const { may } = useProject();
  const { save } = useSchemaDeeds(object, schema);
  const refuses = schema?.allow_defined_only ?? false;
  // Shown until the service has said what it is.
  const [wanted, setWanted] = useState<boolean | null>(null);
  return (
    <Card title={words.other_keys}>
      <Stack>
        {save.error && <Notice>{reasonIn(save.error)}</Notice>}
        {may("metadata-schemas.update") ? (
          <Check
            label={words.refuse_others}
            hint={words.refuse_hint}
            checked={wanted ?? refuses}
            onChange={(allow_defined_only) => {
              setWanted(allow_defined_only);
              save.mutate({ allow_defined_only }, { onSettled: () => setWanted(null) });
            }}
          />
        ) : (
          <p className={styles.lead}>{refuses ? words.others_refused : words.others_kept}</p>
        )}
      </Stack>
    </Card>
  );
}

function Clear({ object, schema, onClose }: { object: string; schema: Schema; onClose: () => void }) {
  const { clear } = useSchemaDeeds(object, schema);
  return (
    <DangerDialog
      deed={clear}
      title={words.clear}
      submit={words.clear_submit}
      onSubmit={() => clear.mutate(schema.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{words.clear_lead}</p>
    </DangerDialog>
  );
}
