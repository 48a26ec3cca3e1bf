import { t } from "../text/index.js";
import type { IconName } from "../ui/icon.js";

interface Entry {
  /** Behind `/p/<project id>/`. */
  path: string;
  /** Behind `g`, as a key. */
  letter: string;
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
  {
    entries: [
      { path: "overview", letter: "o", label: entries.overview, icon: "layoutDashboard", needs: "overview.read" },
    ],
  },
  {
    label: t.frame.groups.campaigns,
    entries: [
      { path: "campaigns", letter: "c", label: entries.campaigns, icon: "speakerphone", needs: "campaigns.read" },
      { path: "promotions", letter: "p", label: entries.promotions, icon: "discount", needs: "promotions.tiers.read" },
      { path: "vouchers", letter: "v", label: entries.vouchers, icon: "ticket", needs: "vouchers.read" },
      { path: "rules", letter: "r", label: entries.rules, icon: "listCheck", needs: "validation-rules.read" },
    ],
  },
  {
    label: t.frame.groups.customers,
    entries: [
      { path: "customers", letter: "u", label: entries.customers, icon: "users", needs: "customers.read" },
      { path: "segments", letter: "s", label: entries.segments, icon: "usersGroup", needs: "segments.read" },
    ],
  },
  {
    label: t.frame.groups.activity,
    entries: [
      { path: "redemptions", letter: "d", label: entries.redemptions, icon: "receipt2", needs: "redemptions.read" },
      { path: "orders", letter: "e", label: entries.orders, icon: "shoppingBag", needs: "orders.read" },
    ],
  },
  {
    label: t.frame.groups.catalogue,
    entries: [
      { path: "products", letter: "t", label: entries.products, icon: "box", needs: "products.read" },
      { path: "categories", letter: "g", label: entries.categories, icon: "tag", needs: "categories.read" },
    ],
  },
  {
    label: t.frame.groups.developers,
    entries: [
      { path: "requests", letter: "q", label: entries.requests, icon: "terminal2", needs: "requests.read" },
      { path: "webhooks", letter: "w", label: entries.webhooks, icon: "webhook", needs: "webhooks.read" },
      { path: "tasks", letter: "a", label: entries.tasks, icon: "progressCheck", needs: "async-actions.read" },
    ],
  },
  {
    entries: [
      { path: "settings/keys", letter: "i", label: entries.settings, icon: "settings", needs: "keys.read" },
      {
        path: "settings/metadata",
        letter: "i",
        label: entries.settings,
        icon: "settings",
        needs: "metadata-schemas.read",
      },
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
