import type { Campaign } from "../../api/campaign.js";
import type { Schemas } from "../../api/client.js";
import { instantShown, shownIn } from "../../api/days.js";
import type { Project } from "../../api/project.js";
import { changedKeys, objectIn } from "../../api/values.js";
import { chosenParts, fieldPart, type Parts } from "../../parts/editing/clash.js";
import { metadataParts } from "../../parts/editing/metadata-parts.js";
import { t } from "../../text/index.js";

const words = t.campaign_edit;
type Zoned = Pick<Project, "fields">;
type Hours = Schemas["ValidityHours"]["daily"][number];

/** What can be changed of a campaign, as it is typed. */
export interface EditForm {
  description: string;
  category: string;
  /** As clocks of the project show it. */
  start_date: string;
  expiration_date: string;
  /** Names of weekdays; none: all. */
  weekdays: ReadonlySet<string>;
  /** A span a line. */
  hours: string;
  duration: string;
  interval: string;
  metadata: string;
}

export function editForm(campaign: Campaign, { fields: { timezone } }: Zoned): EditForm {
  const { description, categories, category, start_date, expiration_date } = campaign;
  const { validity_day_of_week, validity_hours, validity_timeframe, metadata } = campaign;
  return {
    description: description ?? "",
    category: categories?.[0]?.name ?? category ?? "",
    start_date: start_date ? shownIn(start_date, timezone) : "",
    expiration_date: expiration_date ? shownIn(expiration_date, timezone) : "",
    weekdays: new Set(validity_day_of_week?.flatMap((day) => words.days[day] ?? [])),
    hours: (validity_hours?.daily ?? []).map(hoursWords).join("\n"),
    duration: validity_timeframe?.duration ?? "",
    interval: validity_timeframe?.interval ?? "",
    metadata: JSON.stringify(metadata, null, 2),
  };
}

/** What others may change of it meanwhile. */
export const editParts: Parts<EditForm> = (forms) => [
  fieldPart("description", t.wizard.description),
  fieldPart("category", t.campaigns.category),
  fieldPart("start_date", words.starts, moment),
  fieldPart("expiration_date", words.ends, moment),
  ...chosenParts<EditForm, "weekdays", string>("weekdays", words.days, ({ weekdays }) => weekdays, {
    chosen: t.editing.yes,
    not: t.editing.no,
  }),
  fieldPart("hours", words.hours),
  fieldPart("duration", words.duration),
  fieldPart("interval", words.interval),
  ...metadataParts<EditForm>(words.metadata)(forms),
];

const moment = (shown: string) => shown.replace("T", ", ");

/** `09:00-17:00 Mon Tue` */
export const hoursWords = ({ start_time, expiration_time, days_of_week }: Hours): string =>
  [`${start_time}-${expiration_time}`, ...(days_of_week ?? []).flatMap((day) => words.days_short[day] ?? [])].join(" ");

const a_span = /^([\d:]+)\s*[-–]\s*([\d:]+)((?:[\s,]+[a-z]+)*)$/i;

/** A line of hours; null: it is none. */
function hoursIn(line: string): Hours | null {
  const [, start_time, expiration_time, days = ""] = a_span.exec(line) ?? [];
  if (start_time === undefined || expiration_time === undefined) return null;
  const names = days.split(/[\s,]+/).filter((name) => name !== "");
  const days_of_week = names.map((name) => words.days.findIndex((day) => isShort(name, day)));
  if (days_of_week.includes(-1)) return null;
  return { start_time, expiration_time, ...(names.length > 0 && { days_of_week }) };
}

const isShort = (name: string, day: string) => name.length >= 2 && day.toLowerCase().startsWith(name.toLowerCase());

const linesOf = ({ hours }: EditForm) =>
  hours
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

export type EditFaults = Partial<Record<keyof EditForm, string>>;

/** What is wrong with it, by field. */
export function editFaults(form: EditForm): EditFaults {
  const faults: EditFaults = {};
  if (form.start_date && form.expiration_date && form.expiration_date < form.start_date)
    faults.expiration_date = words.ends_bad;
  const bad = linesOf(form).find((line) => hoursIn(line) === null);
  if (bad !== undefined) faults.hours = words.hours_bad(bad);
  if ((form.duration.trim() === "") !== (form.interval.trim() === ""))
    faults[form.duration.trim() === "" ? "duration" : "interval"] = words.timeframe_bad;
  if (objectIn(form.metadata) === null) faults.metadata = t.products.metadata_bad;
  return faults;
}

/** What somebody has changed, and nothing else: what another person has saved meanwhile in other fields stays. */
export function editChanges(before: EditForm, form: EditForm, { fields: { timezone } }: Zoned) {
  const isOther = (...names: (keyof EditForm)[]) => names.some((name) => said(form[name]) !== said(before[name]));
  const text = (typed: string) => (typed.trim() === "" ? null : typed.trim());
  const daily = linesOf(form).flatMap((line) => hoursIn(line) ?? []);
  const days = words.days.flatMap((day, i) => (form.weekdays.has(day) ? [i] : []));
  const [duration, interval] = [text(form.duration), text(form.interval)];
  return {
    ...(isOther("description") && { description: text(form.description) }),
    ...(isOther("category") && { category: text(form.category) }),
    ...(isOther("start_date") && { start_date: instantShown(form.start_date, timezone) }),
    ...(isOther("expiration_date") && { expiration_date: instantShown(form.expiration_date, timezone) }),
    ...(isOther("weekdays") && { validity_day_of_week: days.length === 0 ? null : days }),
    ...(isOther("hours") && { validity_hours: daily.length === 0 ? null : { daily } }),
    ...(isOther("duration", "interval") && {
      validity_timeframe: duration !== null && interval !== null ? { duration, interval } : null,
    }),
    ...(isOther("metadata") && { metadata: changedKeys(objectIn(before.metadata), objectIn(form.metadata)) }),
  } satisfies Schemas["CampaignUpdate"];
}

const said = (value: string | ReadonlySet<string>) =>
  typeof value === "string" ? value : words.days.filter((day) => value.has(day)).join();
