import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { bodyOf, type Schemas } from "../../api/client.js";
import { askedBy, listOf, valuesOf } from "../../api/filters.js";
import type { Project } from "../../api/project.js";

type Calls = Pick<Project, "api">;
export type Redemption = Schemas["Redemption"];

export const redemptionSearch = listOf(["code", "result", "campaign", "customer", "time", "after"]);
export type RedemptionSearch = ReturnType<typeof redemptionSearch>;

const day_ms = 86_400_000;
const times: Record<string, number> = { "24h": day_ms, "7d": 7 * day_ms, "30d": 30 * day_ms };
const results = ["SUCCESS", "FAILURE"] as const;
const rows_on_page = 50;

export const redemptionsQuery = ({ api }: Calls, search: RedemptionSearch) =>
  queryOptions({
    queryKey: ["redemptions", "list", askedBy(search)],
    placeholderData: keepPreviousData,
    queryFn: () => {
      const { code, campaign, customer, time = "", after } = search;
      const result = results.find((one) => one === search.result);
      const long = times[time];
      const query = {
        limit: rows_on_page,
        ...{ campaign, customer, result, starting_after_id: after },
        ...(long ? { created_at: { after: new Date(Date.now() - long).toISOString() } } : {}),
        ...(code
          ? { filters: { voucher_code: { conditions: { $is: [code] } } } as unknown as Record<string, never> }
          : {}),
      };
      return bodyOf(api.GET("/dashboard/v1/redemptions", { params: { query } }));
    },
  });

export const redemptionQuery = ({ api }: Calls, redemptionId: string) =>
  queryOptions({
    queryKey: ["redemptions", "one", redemptionId],
    queryFn: async () =>
      (await bodyOf(api.GET("/v1/redemptions/{redemptionId}", { params: { path: { redemptionId } } }))) as Redemption,
  });

export const locksQuery = ({ api }: Calls) =>
  queryOptions({
    queryKey: ["redemptions", "locks"],
    queryFn: () => bodyOf(api.GET("/dashboard/v1/sessions")),
  });

export const validationSearch = valuesOf(["code", "customer", "valid"]);
export type ValidationSearch = ReturnType<typeof validationSearch>;
type Validations = Schemas["LoggedValidationSlice"];
export type Validation = Validations["data"][number];

export const validationsQuery = ({ api }: Calls, { code, customer, valid }: ValidationSearch) =>
  infiniteQueryOptions({
    queryKey: ["redemptions", "validations", code, customer, valid],
    queryFn: ({ pageParam: after }): Promise<Validations> => {
      const is_valid = valid === "true" || valid === "false" ? valid === "true" : undefined;
      const query = { limit: rows_on_page, code, customer, valid: is_valid, after };
      return bodyOf(api.GET("/dashboard/v1/validations", { params: { query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: Validations) => next ?? undefined,
  });
