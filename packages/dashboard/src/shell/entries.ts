import { t } from "../text/index.js";
import type { IconName } from "../ui/icon.js";

interface Entry {
  /** Behind `/p/<project id>/`. */
  path: string;
  label: string;
  icon: IconName;
  /** What the role must be allowed to see it. */
  needs: string;
}

interface Group {
  label?: string;
  entries: readonly Entry[];
}

const { entries } = t.frame;

/** The map of the dashboard: what has a page, in its order. */
const groups: readonly Group[] = [
  { entries: [{ path: "overview", label: entries.overview, icon: "layoutDashboard", needs: "overview.read" }] },
  {
    label: t.frame.groups.campaigns,
    entries: [
      { path: "campaigns", label: entries.campaigns, icon: "speakerphone", needs: "campaigns.read" },
      { path: "promotions", label: entries.promotions, icon: "discount", needs: "promotions.tiers.read" },
      { path: "vouchers", label: entries.vouchers, icon: "ticket", needs: "vouchers.read" },
      { path: "rules", label: entries.rules, icon: "listCheck", needs: "validation-rules.read" },
    ],
  },
  {
    label: t.frame.groups.customers,
    entries: [
      { path: "customers", label: entries.customers, icon: "users", needs: "customers.read" },
      { path: "segments", label: entries.segments, icon: "usersGroup", needs: "segments.read" },
    ],
  },
  {
    label: t.frame.groups.activity,
    entries: [
      { path: "redemptions", label: entries.redemptions, icon: "receipt2", needs: "redemptions.read" },
      { path: "orders", label: entries.orders, icon: "shoppingBag", needs: "orders.read" },
    ],
  },
  {
    label: t.frame.groups.catalogue,
    entries: [
      { path: "products", label: entries.products, icon: "box", needs: "products.read" },
      { path: "categories", label: entries.categories, icon: "tag", needs: "categories.read" },
    ],
  },
  {
    label: t.frame.groups.developers,
    entries: [
      { path: "requests", label: entries.requests, icon: "terminal2", needs: "requests.read" },
      { path: "webhooks", label: entries.webhooks, icon: "webhook", needs: "webhooks.read" },
      { path: "tasks", label: entries.tasks, icon: "progressCheck", needs: "async-actions.read" },
    ],
  },
  {
    entries: [
      { path: "settings/keys", label: entries.settings, icon: "settings", needs: "keys.read" },
      { path: "settings/metadata", label: entries.settings, icon: "settings", needs: "metadata-schemas.read" },
    ],
  },
];

/** Of those that lead to one section the first is shown. */
const isFirst = ({ label }: Entry, place: number, all: readonly Entry[]) =>
  all.findIndex((entry) => entry.label === label) === place;

/** What somebody may see of it. */
export const groupsFor = (may: (code: string) => boolean): readonly Group[] =>
  groups
    .map((group) => ({ ...group, entries: group.entries.filter(({ needs }) => may(needs)).filter(isFirst) }))
    .filter((group) => group.entries.length > 0);

/** Where a project begins for somebody. */
export const homeOf = (may: (code: string) => boolean): string =>
  groupsFor(may)[0]?.entries[0]?.path ?? "settings/general";
