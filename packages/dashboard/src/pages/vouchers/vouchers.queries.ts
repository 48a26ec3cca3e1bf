import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { bodyOf, type Schemas } from "../../api/client.js";
import { askedBy, listOf } from "../../api/filters.js";
import type { Voucher } from "../../api/incentive.js";
import type { Project } from "../../api/project.js";

type Calls = Pick<Project, "api">;

export const rows_on_page = 50;

/** What stands in the address of the list. */
export const voucherSearch = listOf(["code", "type", "active", "campaign", "category", "sort", "after"]);
export type VoucherSearch = ReturnType<typeof voucherSearch>;

type Filters = Record<string, never>;
const orders = ["-created_at", "created_at", "code"] as const;
const types: readonly string[] = ["DISCOUNT_VOUCHER", "GIFT_VOUCHER", "LOYALTY_CARD"];

/** The filters as the service knows them; its document leaves open which there are. */
function filtersOf({ code, type, active }: VoucherSearch): Filters {
  const filters = {
    ...(code ? { code: { conditions: { $starts_with: [code] } } } : {}),
    ...(type && types.includes(type) ? { type: { conditions: { $is: [type] } } } : {}),
    ...(active === "true" || active === "false" ? { active: { conditions: { $is: [active] } } } : {}),
  };
  return filters as unknown as Filters;
}

export const vouchersQuery = ({ api }: Calls, search: VoucherSearch) =>
  queryOptions({
    queryKey: ["vouchers", "list", askedBy(search)],
    placeholderData: keepPreviousData,
    queryFn: () => {
      const { campaign, category, after } = search;
      const order = orders.find((one) => one === search.sort) ?? "-created_at";
      const filters = filtersOf(search);
      const query = { limit: rows_on_page, order, campaign, category, starting_after_id: after, filters };
      return bodyOf(api.GET("/dashboard/v1/vouchers", { params: { query } }));
    },
  });

const at = (code: string) => ({ params: { path: { code } } });

export const voucherQuery = ({ api }: Calls, code: string) =>
  queryOptions({
    queryKey: ["vouchers", "one", code],
    queryFn: async () => (await bodyOf(api.GET("/v1/vouchers/{code}", at(code)))) as Voucher,
  });

const redemptions_max = 100;

/** Its redemptions and what became of them, newest first. */
export const redemptionsQuery = ({ api }: Calls, code: string) =>
  queryOptions({
    queryKey: ["vouchers", "redemptions", code],
    queryFn: () =>
      bodyOf(
        api.GET("/dashboard/v1/redemptions", {
          params: {
            query: {
              limit: redemptions_max,
              filters: { voucher_code: { conditions: { $is: [code] } } } as unknown as Filters,
            },
          },
        }),
      ),
  });

export const transactionsQuery = ({ api }: Calls, code: string) =>
  queryOptions({
    queryKey: ["vouchers", "transactions", code],
    queryFn: () =>
      bodyOf(api.GET("/v1/vouchers/{code}/transactions", { params: { ...at(code).params, query: { limit: 100 } } })),
  });

const entries_on_page = 50;

export const timelineQuery = ({ api }: Calls, voucher: string) =>
  infiniteQueryOptions({
    queryKey: ["vouchers", "timeline", voucher],
    queryFn: ({ pageParam: after }): Promise<Schemas["TimelineSlice"]> =>
      bodyOf(api.GET("/dashboard/v1/timeline", { params: { query: { voucher, limit: entries_on_page, after } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: Schemas["TimelineSlice"]) => next ?? undefined,
  });

/** Why it was refused last, if it was. */
export const refusalQuery = ({ api }: Calls, code: string) =>
  queryOptions({
    queryKey: ["vouchers", "refusal", code],
    queryFn: () => bodyOf(api.GET("/dashboard/v1/vouchers/{code}/last-refusal", at(code))),
  });
