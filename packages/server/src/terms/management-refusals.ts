import { refuse } from "./refuse.js";

/** The catalogue's part about projects, who works in them, and what they send. */
export const management_refusals = {
  sendOutUnderWay: (id: string) =>
    refuse(
      409,
      "send_out_under_way",
      "Send-out under way",
      `The message ${id} has not ended yet: it is tried again by itself`,
    ),
  userNotAssigned: () =>
    refuse(400, "user_not_assigned", "User is not assigned", "User is not assigned to the project"),
  userNotInProject: (user_id: string, project_id: string) =>
    refuse(
      404,
      "not_found",
      "Resource not found",
      `Cannot find user '${user_id}' assigned to the project '${project_id}'`,
      {
        resource_id: user_id,
        resource_type: "user",
      },
    ),
  incorrectRole: (role: string) =>
    refuse(400, "used_incorrect_role", "Used incorrect role", `The role '${role}' is incorrect`),
  linkIsOver: () =>
    refuse(
      404,
      "link_is_over",
      "Link is over",
      "The link was used, is older than a day, or was never made. Ask for a new one.",
    ),
  wrongPassword: () => refuse(400, "wrong_password", "Wrong password", "E-mail or password is wrong"),
  onlyProject: () => refuse(400, "invalid_payload", "Invalid payload", "A user's only project cannot be taken away"),
  lastAdministrator: () => refuse(400, "invalid_payload", "Invalid payload", "A project must keep an administrator"),
  brandingExists: () =>
    refuse(409, "branding_exist", "Branding exist", "Cannot exist more than one branding for given project"),
  tooManyWebhooks: (webhooks_max: number) =>
    refuse(400, "webhooks_limit_exceeded", "Webhooks limit exceeded", `A project has ${webhooks_max} webhooks at most`),
  tooManyAutomations: (automations_max: number) =>
    refuse(
      400,
      "automations_limit_exceeded",
      "Automations limit exceeded",
      `A project has ${automations_max} automations at most`,
    ),
  tooManyKeys: (keys_max: number) =>
    refuse(400, "keys_limit_exceeded", "Keys limit exceeded", `A project has ${keys_max} keys at most`),
  tooManyKept: (noun: "views" | "drafts", count_max: number) =>
    refuse(
      400,
      `${noun}_limit_exceeded`,
      noun === "views" ? "Views limit exceeded" : "Drafts limit exceeded",
      `One person has ${count_max} ${noun} of a project at most`,
    ),
  stackingRulesExist: () =>
    refuse(409, "stacking_rules_exist", "Stacking rules exist", "Cannot exist more stacking rules for given project"),
};
