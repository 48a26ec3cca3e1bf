/** What a project wants its people to be told, behind the bell. */
export const notices = {
  notices: {
    title: "Notices",
    with_new: (count: number) => `Notices, ${count} new`,
    none: "Nothing to tell you",
    none_lead: "Here you read when much of a limit is used, and when an address of yours no longer answers.",
    older: "Older ones are not shown.",
    used: {
      api_calls: (percent: number) => `${percent} % of the calls are used`,
      bulk_api_calls: (percent: number) => `${percent} % of the bulk calls are used`,
      webhook_calls: (percent: number) => `${percent} % of the calls of automations are used`,
      cycle_calls: (percent: number) => `${percent} % of the calls of this cycle are used`,
    },
    used_lead: (calls: string, value: string, duration: string, ends: string) =>
      `${calls} of ${value} in ${duration}; the next period begins ${ends}.`,
    off: { webhook: "A webhook was switched off", distribution: "An automation was switched off" },
    off_lead: (address: string) => `Messages to ${address} could not be delivered for a day.`,
    to_webhooks: "To the webhooks",
  },
};
