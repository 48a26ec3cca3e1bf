/** What a `customer.custom_event` event carries: ids, and what was sent (loyalty.md §10). */
export interface CustomEventData {
  /** `event_…` */
  id: string;
  /** The event's name. */
  type: string;
  event_schema: { id: string; name: string };
  customer_id: string;
  /** The codes as sent; what they name now is looked up when the event takes effect. */
  loyalty: { code: string } | null;
  /** Of a referrer the id, however they were named; what nobody is called as it was sent. */
  referral: { code: string; referrer_id: string | null } | null;
  metadata: Record<string, unknown>;
}
