import { expect, test } from "vitest";
import { ConfigRefused, readConfig } from "./config.js";

test.each([
  ["PORT", "abc"],
  ["PORT", "70000"],
  ["PORT", "3.5"],
  ["GUERDON_PREPARED", "yes"],
  ["GUERDON_ROLE", "everything"],
  ["GUERDON_WEBHOOK_ALLOW_PRIVATE", "1"],
  ["GUERDON_LOG", "loud"],
  ["GUERDON_SECRET_KEY", "1234"],
  ["GUERDON_PUBLIC_URL", "guerdon.example"],
  ["GUERDON_PUBLIC_URL", "https://guerdon.example/promotions"],
  ["GUERDON_OWNER_EMAIL", "ann"],
  ["GUERDON_CONNECTIONS", "0"],
  ["GUERDON_PROCESSES", "0"],
  ["GUERDON_PROCESSES", "two"],
  ["GUERDON_PROCESSES", "41"],
  ["GUERDON_EVENTS_DAYS", "30"],
  ["GUERDON_CLIENT_SIDE_CALLS", "0"],
  ["GUERDON_API_CALLS", "600"],
  ["GUERDON_BULK_API_CALLS", "10/P1MT1H"],
  ["GUERDON_WEBHOOK_CALLS", "a day"],
  ["GUERDON_CLIENT_SIDE_SECONDS", "a minute"],
  ["GUERDON_TRUSTED_PROXIES", "10.0.0.0/8,proxy"],
  ["DATABASE_URL", "nonsense"],
  ["DATABASE_URL", "mysql://root@127.0.0.1/guerdon"],
  ["DATABASE_DIRECT_URL", "nonsense"],
])("%s is not %s: refused by one line that begins with its name", (name, value) => {
  const reading = () => readConfig({ [name]: value });
  expect(reading).toThrow(ConfigRefused);
  expect(reading).toThrow(new RegExp(`^${name} must [^\n]+$`));
});
