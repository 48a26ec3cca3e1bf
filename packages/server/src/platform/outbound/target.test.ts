import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPublic } from "./addresses.js";
import { whyNoTarget } from "./target.js";

describe("an address of the open Internet", () => {
  test.each(["8.8.8.8", "1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:8.8.8.8", "2a00:1450::1"])(
    "is %s",
    (address) => expect(isPublic(address)).toBe(true),
  );

  test.each([
    ...["127.0.0.1", "127.9.9.9", "0.0.0.0", "10.0.0.7", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1"],
    ...["169.254.169.254", "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.88.99.1"],
    ...["::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1", "ff02::1", "2001:db8::1", "100::1"],
    ...["::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "::7f00:1"],
    ...["64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001::1", "4000::1", "example.com", ""],
  ])("is not %s", (address) => expect(isPublic(address)).toBe(false));

  test("is no other when it is written as IPv6", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPublic(`::ffff:${address}`)).toBe(isPublic(address));
      }),
    );
  });
});

describe("a target", () => {
  const strict = { allow_private: false };

  test.each(["https://hooks.example/a?b=c", "http://8.8.8.8:8080/", "https://[2606:4700::1111]/x"])(
    "may be %s",
    (target) => expect(whyNoTarget(target, strict)).toBeNull(),
  );

  test.each(["hooks.example", "ftp://hooks.example", "javascript:alert(1)", "https://", "", "http://a b/"])(
    "must begin as an address does: %s",
    (target) => {
      expect(whyNoTarget(target, strict)).toMatch(/http/);
      expect(whyNoTarget(target, { allow_private: true })).toMatch(/http/);
    },
  );

  test.each([
    ...["http://127.0.0.1/", "http://127.1/", "http://0x7f000001/", "http://2130706433/", "http://0/", "http://[::1]/"],
    ...["http://localhost:3000/", "http://LOCALHOST./", "http://a.localhost/", "http://[::ffff:127.0.0.1]/"],
    ...["http://10.1.2.3/", "http://169.254.169.254/latest/meta-data", "http://[fd00::1]/"],
  ])("is not private, however it is written: %s", (target) => {
    expect(whyNoTarget(target, strict)).toBe("must not be a private or loopback address");
    expect(whyNoTarget(target, { allow_private: true })).toBeNull();
  });

  test("holds no password", () => {
    expect(whyNoTarget("https://ann:secret@hooks.example/", { allow_private: true })).toMatch(/password/);
  });
});
