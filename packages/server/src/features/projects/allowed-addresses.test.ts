import { expect, test } from "vitest";
import { assertAllowed, networkOf } from "./allowed-addresses.js";

test.each([
  ["10.0.0.7", "10.0.0.7"],
  [" 10.0.0.7/32 ", "10.0.0.7"],
  ["10.1.2.3/8", "10.0.0.0/8"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  ["2001:DB8:0:0::7", "2001:db8::7"],
  ["2001:db8::7/32", "2001:db8::/32"],
  ["::ffff:10.0.0.7", "10.0.0.7"],
  ["::ffff:10.1.2.3/104", "10.0.0.0/8"],
])("'%s' is kept as %s", (text, kept) => {
  expect(networkOf(text)).toBe(kept);
});

test.each([
  ...[
    "",
    "shop.example",
    "10",
    "10.0.0",
    "010.0.0.1",
    "0x0a.0.0.1",
    "10.0.0.0/",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
  ],
  ...["2001:db8::/129", "fe80::1%eth0", "::ffff:10.0.0.0/8", "*"],
])("'%s' is no address and no network", (text) => {
  expect(networkOf(text)).toBeNull();
});

test.each([
  ["10.0.0.7", "10.0.0.7", true],
  ["10.0.0.7", "10.0.0.8", false],
  ["10.0.0.0/8", "10.255.255.255", true],
  ["10.0.0.0/8", "11.0.0.0", false],
  ["10.0.0.0/8", "::ffff:10.1.2.3", true],
  ["2001:db8::/32", "2001:db8:ffff::1", true],
  ["2001:db8::/32", "2001:db9::1", false],
  ["0.0.0.0/0", "2001:db8::1", false],
  ["::/0", "10.0.0.7", false],
  ["10.0.0.0/8", "somewhere", false],
])("a key that may be used from %s may be used from %s: %s", (allowed, ip, is_allowed) => {
  const call = () => assertAllowed(["192.0.2.1", allowed], ip);
  if (is_allowed) call();
  else expect(call).toThrow("IP address is not allowed");
});
