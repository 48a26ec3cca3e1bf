import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { reasonIn } from "../../api/answer.js";
import { bodyOf } from "../../api/client.js";
import type { Voucher } from "../../api/incentive.js";
import { minorOf } from "../../api/money.js";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { FormDialog } from "../../ui/dialog.js";
import { SelectField, TextArea, TextField } from "../../ui/field.js";
import { Notice } from "../../ui/page.js";
import { toast } from "../../ui/toast.js";
import { voucherQuery } from "./vouchers.queries.js";

const words = t.vouchers;

/** Acts at once, and can be taken back as quickly. */
export function Switch({ voucher }: { voucher: Voucher }) {
  const project = useProject();
  const queries = useQueryClient();
  const { code } = voucher;
  const set = useMutation({
    mutationFn: async (active: boolean) => {
      const at = { params: { path: { code } } };
      if (active) await bodyOf(project.api.POST("/v1/vouchers/{code}/enable", at));
      else await bodyOf(project.api.POST("/v1/vouchers/{code}/disable", at));
    },
    onSuccess: (_answer, active) => {
      queries.setQueryData(voucherQuery(project, code).queryKey, { ...voucher, active });
      toast((active ? words.enabled : words.disabled)(code), () => set.mutate(!active));
      return queries.invalidateQueries({ queryKey: ["vouchers"] });
    },
  });
  const is_off = voucher.active === false;
  return (
    <>
      {set.error && <Notice>{reasonIn(set.error)}</Notice>}
      {project.may(is_off ? "vouchers.enable.create" : "vouchers.disable.create") && (
        <Button icon={is_off ? "playerPlay" : "ban"} busy={set.isPending} onClick={() => set.mutate(is_off)}>
          {is_off ? words.enable : words.disable}
        </Button>
      )}
    </>
  );
}

/** A goodwill on a card: how much, and why. */
export function AdjustBalance({ code, onClose }: { code: string; onClose: () => void }) {
  const { api, currency, digits, money } = useProject();
  const queries = useQueryClient();
  const [direction, setDirection] = useState<"add" | "take">("add");
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState(false);
  const minor = minorOf(typed, digits);
  const faults = {
    amount: minor ? undefined : words.amount_bad(currency),
    reason: reason.trim() === "" ? words.reason_missing : undefined,
  };
  const adjust = useMutation({
    mutationFn: (amount: number) =>
      bodyOf(api.POST("/v1/vouchers/{code}/balance", { params: { path: { code } }, body: { amount, reason } })),
    onSuccess: async (_balance, amount) => {
      toast(amount > 0 ? words.credited(money(amount)) : words.taken(money(-amount)));
      onClose();
      await queries.invalidateQueries({ queryKey: ["vouchers"] });
    },
  });
  const submit = () => {
    setAsked(true);
    if (minor && !faults.reason) adjust.mutate(direction === "add" ? minor : -minor);
  };
  return (
    <FormDialog
      title={words.credits_title(code)}
      submit={direction === "add" ? words.add : words.take}
      busy={adjust.isPending}
      error={reasonIn(adjust.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label={words.direction}
        value={direction}
        options={[
          { value: "add", label: words.add },
          { value: "take", label: words.take },
        ]}
        onChange={setDirection}
      />
      <TextField
        label={words.amount}
        inputMode="decimal"
        unit={currency}
        value={typed}
        onChange={setTyped}
        error={asked ? faults.amount : undefined}
      />
      <TextArea
        label={words.reason}
        hint={words.reason_hint}
        value={reason}
        onChange={setReason}
        error={asked ? faults.reason : undefined}
      />
    </FormDialog>
  );
}
