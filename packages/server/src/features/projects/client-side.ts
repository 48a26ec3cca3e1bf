import type { FastifyContextConfig, FastifyReply, FastifyRequest } from "fastify";
import { letTrustedIn } from "../../platform/http/browsers/trusted-domains.js";
import { problems } from "../../platform/http/problems.js";
import type { Caller } from "../../terms/index.js";
import type { ClientSwitch, Project } from "./project.js";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Which of the project's switches must be on for the operation; none unless a route says so (platform.md §5). */
    client_switch?: ClientSwitch;
  }
}

/** What each switch lets pages do, as a refusal words it. */
const doings: Record<ClientSwitch, string> = {
  client_redeem_enabled: "redeem",
  client_publish_enabled: "publish vouchers",
  client_list_vouchers_enabled: "list vouchers",
  client_create_customer_enabled: "create customers",
  client_loyalty_events_enabled: "send events for loyalty cards and referral codes",
  client_set_voucher_expiration_date_enabled: "set when vouchers expire",
};

/**
 * Refuses pages that the project does not trust. A token that names no origin comes from a server; one that names its own is a
 * page's, like a key pair.
 */
export function assertTrusted(request: FastifyRequest, reply: FastifyReply, caller: Caller, project: Project): void {
  const is_trusted = letTrustedIn(request, reply, project.client_trusted_domains);
  const is_server = caller.kind === "oauth_token" && request.headers.origin === undefined;
  if (!is_trusted && !is_server) throw problems.unauthorized();
}

export function assertSwitchedOn({ client_switch }: FastifyContextConfig, project: Project): void {
  if (client_switch !== undefined) assertLets(project, client_switch);
}

/** The same for what only some requests of an operation ask for. */
export function assertLets(project: Project, client_switch: ClientSwitch): void {
  if (project[client_switch]) return;
  throw problems.forbidden(`The project does not let client-side calls ${doings[client_switch]}`);
}
