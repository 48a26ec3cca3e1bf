import { bodyOf } from "../../api/client.js";
import type { Voucher } from "../../api/incentive.js";
import type { Project } from "../../api/project.js";
import { objectIn } from "../../api/values.js";
import { type Act, type Acts, asTask, oneByOne } from "../../parts/lists/acts.js";
import { t } from "../../text/index.js";
import { Radio, TextArea } from "../../ui/field.js";

const words = t.voucher_acts;
const nameOf = ({ code }: Voucher) => code;
const at = ({ code }: Voucher) => ({ params: { path: { code } } });

/** What may be done to many codes at once, as far as the role goes. */
export function voucherActs(project: Project): Acts<Voucher> {
  const { api, may } = project;
  const enable: Act<Voucher> = {
    ...words.enable,
    icon: "playerPlay",
    run: (rows, _given, job) =>
      oneByOne(rows, { nameOf, one: (row) => bodyOf(api.POST("/v1/vouchers/{code}/enable", at(row))) }, job),
  };
  const disable: Act<Voucher> = {
    ...words.disable,
    icon: "ban",
    run: (rows, _given, job) =>
      oneByOne(rows, { nameOf, one: (row) => bodyOf(api.POST("/v1/vouchers/{code}/disable", at(row))) }, job),
  };
  return {
    nameOf,
    all: [
      ...(may("vouchers.enable.create") ? [enable] : []),
      ...(may("vouchers.disable.create") ? [disable] : []),
      ...(may("vouchers.metadata.async.create") ? [metadataOf(project)] : []),
      ...(may("vouchers.delete") ? [deletionOf(project)] : []),
    ],
  };
}

/** One request for all of them: the service merges it into each by itself. */
const metadataOf = (project: Project): Act<Voucher> => ({
  ...words.metadata,
  icon: "tag",
  goes_on: true,
  asks: {
    initial: "{\n  \n}",
    fault: (typed) => {
      const metadata = objectIn(typed);
      if (metadata === null) return t.products.metadata_bad;
      return Object.keys(metadata).length === 0 ? words.metadata_nothing : undefined;
    },
    field: (field) => <TextArea label={words.metadata_field} hint={words.metadata_hint} rows={6} mono {...field} />,
  },
  run: (rows, typed, job) => {
    const body = { codes: rows.map(nameOf), metadata: objectIn(typed) ?? {} };
    const start = () => bodyOf(project.api.POST("/v1/vouchers/metadata/async", { body }));
    return asTask(project, rows.length, start, job);
  },
});

const for_good = "for good";

const deletionOf = ({ api }: Project): Act<Voucher> => ({
  ...words.remove,
  icon: "trash",
  danger: true,
  asks: {
    initial: "",
    field: ({ value, onChange }) => (
      <div>
        <Radio
          name="deletion"
          label={words.to_bin}
          hint={words.to_bin_hint}
          checked={value === ""}
          onChange={() => onChange("")}
        />
        <Radio
          name="deletion"
          label={words.for_good}
          hint={words.for_good_hint}
          checked={value === for_good}
          onChange={() => onChange(for_good)}
        />
      </div>
    ),
  },
  run: (rows, given, job) => {
    const query = { force: given === for_good };
    const one = ({ code }: Voucher) => bodyOf(api.DELETE("/v1/vouchers/{code}", { params: { path: { code }, query } }));
    return oneByOne(rows, { nameOf, one }, job);
  },
});
