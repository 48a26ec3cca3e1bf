import { uniqueText } from "../../../../test/harness/resources.js";
import type { TestService } from "../../../../test/harness/service.js";
import { insertUser } from "../../projects/user.store.js";

/** Somebody of the organization who is in no project yet, as an invitation will make them. */
export async function aUser({ context }: Pick<TestService, "context">, fields: { is_owner?: boolean } = {}) {
  const login = `${uniqueText("ann")}@example.com`;
  const user = {
    ...{ id: uniqueText("user_"), login, email: login, first_name: "Ann", last_name: "Lee", is_owner: false },
    ...{ created_at: context.clock.now(), ...fields },
  };
  await context.db.transaction((tx) => insertUser(tx, user));
  return user;
}
