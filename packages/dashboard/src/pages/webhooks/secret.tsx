import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Answer } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { DangerDialog } from "../../parts/danger-dialog.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { Code } from "../../ui/code.js";
import { Card, Stack } from "../../ui/page.js";
import styles from "./webhooks.module.css";
import { secretQuery, useNewSecret } from "./webhooks.queries.js";

const words = t.webhooks;

/** What the project's messages are signed with, for those who write the receiver; on request, as others look at screens too. */
export function Secret() {
  const { may } = useProject();
  const [shown, setShown] = useState(false);
  const [renewing, setRenewing] = useState(false);
  return (
    <Card title={words.secret}>
      <Stack>
        <p className={styles.lead}>{words.secret_lead}</p>
        {shown ? (
          <Shown />
        ) : (
          <div>
            <Button icon="eye" onClick={() => setShown(true)}>
              {words.show_secret}
            </Button>
          </div>
        )}
        <p className={styles.lead}>
          {words.secret_how} <code>x-voucherify-signature</code>
        </p>
        {may("webhook-secret.create") && (
          <div>
            <Button size="small" icon="refresh" onClick={() => setRenewing(true)}>
              {words.new_secret}
            </Button>
          </div>
        )}
      </Stack>
      {renewing && <Renewal onClose={() => setRenewing(false)} onMade={() => setShown(true)} />}
    </Card>
  );
}

function Shown() {
  const secret = useQuery(secretQuery(useProject()));
  return (
    <Answer of={secret} what={words.secret}>
      {(token) => <Code text={token} label={words.secret} words={words.copy_secret} />}
    </Answer>
  );
}

/** Whoever checks messages by the old one refuses the next. */
function Renewal({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  const renew = useNewSecret();
  const made = () => {
    onMade();
    onClose();
  };
  return (
    <DangerDialog
      deed={renew}
      title={words.new_secret_title}
      submit={words.new_secret_submit}
      onSubmit={() => renew.mutate(undefined, { onSuccess: made })}
      onClose={onClose}
    >
      <p>{words.new_secret_lead}</p>
    </DangerDialog>
  );
}
