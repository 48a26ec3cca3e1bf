import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { useFaultFocus } from "../../ui/fault-focus.js";
import { toast } from "../../ui/toast.js";
import { type KindName, kindOf } from "./kinds.js";
import { guessedTargets, mappingFaults, type Target } from "./mapping.js";
import { refusalOf, useChosenFile, useStart } from "./start.js";

/** All that somebody says of an import, what is wrong with it, and its start. */
export function useImport(first: KindName, given_campaign: string) {
  const project = useProject();
  const navigate = useNavigate();
  const [name, setName] = useState(first);
  const [campaign, setCampaign] = useState(given_campaign);
  const { choose, ...chosen } = useChosenFile();
  const { file, head } = chosen;
  // What somebody has said of a file and a kind; until then it is guessed.
  const [said, setSaid] = useState<{ of: unknown; name: KindName; targets: Target[] } | null>(null);
  const [asked, setAsked] = useState<object | null>(null);
  const start = useStart();
  const kind = kindOf(name);
  const titles = head?.titles ?? [];
  const targets = said !== null && said.of === head && said.name === name ? said.targets : guessedTargets(kind, titles);
  const faults = mappingFaults(kind, titles, targets);
  const is_campaign_missing = name === "campaign" && campaign.trim() === "";
  // What was refused is said until something is another.
  const changing =
    <Value>(apply: (value: Value) => void) =>
    (value: Value) => {
      start.reset();
      apply(value);
    };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked({});
    const is_right = faults.missing.length === 0 && faults.columns.every((one) => one === undefined);
    if (!file || !head || is_campaign_missing || !is_right) return;
    start.mutate(
      { file, head, name, targets, campaign: campaign.trim() },
      {
        onSuccess: async ({ async_action_id }) => {
          toast(t.imports.started);
          await navigate({ to: `/p/${project.id}/tasks/${async_action_id}` });
        },
      },
    );
  };
  return {
    ...{ name, kind, campaign, chosen, targets, faults, submit },
    is_asked: asked !== null,
    is_campaign_missing,
    is_busy: start.isPending,
    refusal: refusalOf(start.error),
    fields: useFaultFocus(asked, start.error),
    setName: changing(setName),
    setCampaign: changing(setCampaign),
    choose: changing(choose),
    setTarget: changing(({ place, target }: { place: number; target: Target }) =>
      setSaid({ of: head, name, targets: targets.with(place, target) }),
    ),
  };
}

export type Importing = ReturnType<typeof useImport>;
