import { campaigns } from "./en/campaigns.js";
import { catalogue } from "./en/catalogue.js";
import { editing } from "./en/editing.js";
import { frame } from "./en/frame.js";
import { imports } from "./en/imports.js";
import { letters } from "./en/letters.js";
import { lists } from "./en/lists.js";
import { metadata } from "./en/metadata.js";
import { notices } from "./en/notices.js";
import { overview } from "./en/overview.js";
import { people } from "./en/people.js";
import { promotions } from "./en/promotions.js";
import { redemptionPages } from "./en/redemptions.js";
import { requests } from "./en/requests.js";
import { rules } from "./en/rules.js";
import { segments } from "./en/segments.js";
import { settings } from "./en/settings.js";
import { signing } from "./en/signing.js";
import { tasks } from "./en/tasks.js";
import { vouchers } from "./en/vouchers.js";
import { webhooks } from "./en/webhooks.js";

/** Every word that people read. This object is the type of every other language. */
export const en = {
  ...campaigns,
  ...catalogue,
  ...editing,
  ...frame,
  ...imports,
  ...letters,
  ...lists,
  ...metadata,
  ...notices,
  ...overview,
  ...people,
  ...promotions,
  ...redemptionPages,
  ...requests,
  ...rules,
  ...segments,
  ...signing,
  ...settings,
  ...tasks,
  ...vouchers,
  ...webhooks,
};

export type Text = typeof en;
