import { problems } from "../../platform/http/problems.js";
import { rightsOf } from "../../terms/index.js";
import type { Call } from "./project.js";
import { user_roles } from "./user.js";

/** What a key's role lets it do, by the route it calls: `/v1/vouchers/:code/redemption` (platform.md §2). */
type Permits = (method: string, segments: readonly string[]) => boolean;

const isRead = (method: string) => method === "GET" || method === "HEAD";

/** POSTs that change nothing: they ask, or have something written to a file. */
const asking = new Set([
  "validate",
  "validation",
  "validations",
  "qualification",
  "qualifications",
  "examine",
  "export",
  "exports",
]);

/** What somebody at a till has to see for a redemption. */
const seen_at_the_till = new Set([
  "vouchers",
  "customers",
  "orders",
  "products",
  "skus",
  "promotions",
  "loyalties",
  "rewards",
  "redemptions",
]);

/** Actions on the one incentive that the request names; several at once go to `/v1/validations` and `/v1/redemptions`. */
const with_one_incentive = new Set(["validate", "validation", "redemption", "redeem"]);

const permits = new Map<string, Permits>([
  // What USER may not do lies outside the server-side API.
  ["ADMIN", () => true],
  ["USER", () => true],
  ["VIEWER", (method, segments) => isRead(method) || (method === "POST" && segments.some((one) => asking.has(one)))],
  [
    "MERCHANT",
    (method, segments) =>
      isRead(method)
        ? seen_at_the_till.has(segments[0] ?? "") || with_one_incentive.has(segments.at(-1) ?? "")
        : method === "POST" && with_one_incentive.has(segments.at(-1) ?? ""),
  ],
]);

/** Of the dashboard's own operations: the project's keys, people, schemas and what it keeps of callers are its administrators'. */
const administrators_only = new Set(["keys", "members", "metadata-schemas", "request-log", "webhook-secret"]);
/** What somebody keeps for themselves in a project. */
const ones_own = new Set(["views", "drafts"]);

/** What is asked of something unsaved is for whoever may save it, and what the API has no operation for is as what it is of. */
const like_the_api = new Map([
  ["preview", "validation-rules"],
  ["segments", "segments"],
]);

function permitsAtDashboard(role: string, method: string, [first = ""]: readonly string[]): boolean {
  if (administrators_only.has(first)) return role === "ADMIN";
  const noun = like_the_api.get(first);
  if (noun !== undefined) return permits.get(role)?.(method, [noun]) ?? false;
  if (ones_own.has(first)) return true;
  // Everything else reads, or asks.
  return role !== "MERCHANT" || (isRead(method) && (first === "search" || seen_at_the_till.has(first)));
}

const whole_roles = ["ADMIN", "USER", "VIEWER"];

/**
 * Of the management API, what people do at the dashboard for a project of theirs: who looks, and who changes. What is not named here is
 * done by the organization's own key alone (ADR 78).
 */
const managed = new Map<string, { look: readonly string[]; change: readonly string[] }>([
  ["webhooks", { look: whole_roles, change: ["ADMIN"] }],
  // Sending again what a receiver has missed is no setting.
  ["send-outs", { look: whole_roles, change: ["ADMIN", "USER"] }],
  ["metadata-schemas", { look: whole_roles, change: ["ADMIN"] }],
  ["custom-event-schemas", { look: whole_roles, change: ["ADMIN"] }],
  ["stacking-rules", { look: whole_roles, change: ["ADMIN"] }],
  ["sample-shop", { look: whole_roles, change: ["ADMIN"] }],
]);

/** The project itself shows what signs its webhooks. */
const the_project = { look: ["ADMIN"], change: [] };

function permitsAtManagement(role: string, method: string, [first, project, resource]: readonly string[]): boolean {
  if (first !== "projects" || project !== ":projectId") return false;
  const who = resource === undefined ? the_project : managed.get(resource);
  return (isRead(method) ? who?.look : who?.change)?.includes(role) ?? false;
}

/** Whether an operation is for people at all. */
export const mayAnybodyCall = (method: string, route: string): boolean =>
  user_roles.some((role) => roleAllows(role, method, route));

const doings: Record<string, string> = { GET: "read", HEAD: "read", POST: "create", PUT: "update", DELETE: "delete" };
const methods: Record<string, string> = { read: "GET", create: "POST", update: "PUT", delete: "DELETE" };

/**
 * What an operation is called among permissions: the words of its path, and what its method does. Roles are decided by the very same, so
 * that a code never covers operations of which a role may call some.
 */
export function permissionOf(method: string, route: string): string | null {
  const [, words = ""] =
    /^(?:(?:\/dashboard)?\/v1|\/management\/v1(?:\/projects\/:projectId(?=\/))?)\/(.+)$/.exec(route) ?? [];
  const doing = doings[method];
  if (words === "" || doing === undefined) return null;
  return [...words.split("/").filter((word) => !word.startsWith(":")), doing].join(".");
}

/** A role, with what it may call where the organization has made it. */
export type Powers = Pick<ReturnType<typeof rightsOf>, "permissions"> & { role: string };

/** Whether a key or a person may call an operation. The client side is as the server side where both have one. */
export function mayCall({ role, permissions }: Powers, method: string, route: string): boolean {
  if (!permissions) return roleAllows(role, method, route);
  const on_server = route.replace(/^\/client/, "");
  // A token never widens its key, so every key may have one.
  if (on_server.startsWith("/v1/oauth/")) return true;
  const code = permissionOf(method, on_server);
  return code !== null && permissions.has(code);
}

/** Roles that ask and leave no trace, whatever an operation that asks can be asked for. */
const asking_only = new Set(["VIEWER"]);

function onlyAsks({ role, permissions }: Powers): boolean {
  return permissions ? [...permissions].every(isAsking) : asking_only.has(role);
}

/** Whether those who only ask have it too. */
function isAsking(code: string): boolean {
  const words = code.split(".");
  const method = methods[words.pop() ?? ""] ?? "";
  return ones_own.has(words[0] ?? "") || (permits.get("VIEWER")?.(method, words) ?? false);
}

/** Null: nothing narrows what the caller may do. */
function powersOf({ caller }: Pick<Call, "caller">): Powers | null {
  if (caller.kind === "service") return null;
  const { role, permissions } = rightsOf(caller);
  return role === null ? null : { role, permissions };
}

/** For an operation that reads by its method or path, and is asked here for a change: a lock on a voucher, a code. */
export function assertMayChange(call: Call): void {
  const powers = powersOf(call);
  if (powers && onlyAsks(powers)) throw problems.missingPermission();
}

/** Whether the caller may read that too: for an answer that shows things of several lists. */
export function mayRead(call: Call, route: string): boolean {
  const powers = powersOf(call);
  return powers === null || mayCall(powers, "GET", route);
}

/** Whether one of the roles that there always are may call an operation. Another one may do nothing. */
export function roleAllows(role: string, method: string, route: string): boolean {
  const [, , ...segments] = route.replace(/^\/(client|dashboard|management)/, "").split("/");
  const allows = permits.get(role);
  if (!allows) return false;
  if (route.startsWith("/dashboard/")) return permitsAtDashboard(role, method, segments);
  if (route.startsWith("/management/")) return permitsAtManagement(role, method, segments);
  // A token never widens its key, so every key may have one.
  return segments[0] === "oauth" || allows(method, segments);
}
