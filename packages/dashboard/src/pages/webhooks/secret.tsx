import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Answer } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { Code } from "../../ui/code.js";
import { Card, Stack } from "../../ui/page.js";
import styles from "./webhooks.module.css";
import { secretQuery } from "./webhooks.queries.js";

const words = t.webhooks;

/** What the project's messages are signed with, for those who write the receiver; on request, as others look at screens too. */
export function Secret() {
  const [shown, setShown] = useState(false);
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
      </Stack>
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
