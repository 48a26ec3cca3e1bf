import Type from "typebox";
import type { Deciding } from "../../../deciding/index.js";
import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import type { Counts } from "../../../platform/http/lists.js";
import { withProblems } from "../../../platform/http/schema.js";
import { CampaignBody, CampaignQuery, readCampaigns } from "../../campaigns/index.js";
import {
  CustomerBody,
  CustomerQuery,
  findCustomersByIds,
  readCustomers,
  SimpleCustomer,
  toSimpleCustomer,
} from "../../customers/index.js";
import { OrderBody, OrderFilter, OrderQuery, readOrders } from "../../orders/index.js";
import { callOf, contextOf } from "../../projects/index.js";
import { RedemptionBody, RedemptionQuery, readRedemptions } from "../../redemptions/index.js";
import { heldBySegment } from "../../segments/index.js";
import { readVouchers, VoucherBody, VoucherQuery } from "../../vouchers/index.js";
import { byCursor, slicesOf } from "./list.schemas.js";

/** The API's lists, which end at a page, without that end: `/dashboard/v1/{vouchers,customers,orders,redemptions,campaigns}`. */
export function listRoutes(app: App, context: Context, deciding: Deciding): void {
  const tags = ["dashboard"];
  const config = { rows_are_orders: true } as const;
  const heldBy = heldBySegment(context);

  const vouchers = { 200: slicesOf("VoucherSlice", VoucherBody) };
  const querystring = byCursor(VoucherQuery.properties);
  app.get(
    "/dashboard/v1/vouchers",
    { schema: { operationId: "list-vouchers-by-cursor", tags, querystring, response: withProblems(vouchers) } },
    async (request) => {
      const { vouchers, ...counts } = await readVouchers(contextOf(context, request), callOf(request), request.query);
      return sliceBody(vouchers, counts);
    },
  );

  const customers = {
    operationId: "list-customers-by-cursor",
    querystring: byCursor(CustomerQuery.properties),
    response: withProblems({ 200: slicesOf("CustomerSlice", CustomerBody) }),
  };
  app.get("/dashboard/v1/customers", { schema: { tags, ...customers } }, async (request) => {
    const own = contextOf(context, request);
    const { customers, ...counts } = await readCustomers(own, callOf(request), request.query, heldBy);
    return sliceBody(customers, counts);
  });

  const redemptions = {
    operationId: "list-redemptions-by-cursor",
    querystring: byCursor(RedemptionQuery.properties),
    response: withProblems({ 200: slicesOf("RedemptionSlice", RedemptionBody) }),
  };
  app.get("/dashboard/v1/redemptions", { config, schema: { tags, ...redemptions } }, async (request) => {
    const own = { ...deciding, context: contextOf(context, request) };
    const { redemptions, ...counts } = await readRedemptions(own, callOf(request), request.query);
    return sliceBody(redemptions, counts);
  });

  const people = Type.Array(SimpleCustomer, { description: "Whose orders these are, where somebody's." });
  const orders = {
    operationId: "list-orders-by-cursor",
    querystring: byCursor({ ...OrderQuery.properties, ...OrderFilter }),
    response: withProblems({ 200: slicesOf("OrderSlice", OrderBody, { customers: people }) }),
  };
  app.get("/dashboard/v1/orders", { config, schema: { tags, ...orders } }, async (request) => {
    const [own, call] = [contextOf(context, request), callOf(request)];
    const { orders, ...counts } = await readOrders(own, call, request.query);
    const ids = [...new Set(orders.flatMap(({ customer_id }) => customer_id ?? []))];
    const found = await findCustomersByIds(own.db, call.project_id, ids);
    return { ...sliceBody(orders, counts), customers: found.map(toSimpleCustomer) };
  });

  const campaigns = {
    operationId: "list-campaigns-by-cursor",
    querystring: byCursor(CampaignQuery.properties),
    response: withProblems({ 200: slicesOf("CampaignSlice", CampaignBody) }),
  };
  app.get("/dashboard/v1/campaigns", { schema: { tags, ...campaigns } }, async (request) => {
    const { campaigns, ...counts } = await readCampaigns(contextOf(context, request), callOf(request), request.query);
    return sliceBody(campaigns, counts);
  });
}

/** The API says whether more follow only to those who walk by cursor; of a first page its total tells. */
const sliceBody = <Row>(data: Row[], { total, total_estimated, has_more }: Counts) => ({
  data,
  total,
  ...(total_estimated && { total_estimated }),
  has_more: has_more ?? total > data.length,
});
