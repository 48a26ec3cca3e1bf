import { afterAll, expect, test } from "vitest";
import { createLog } from "../../platform/log.js";
import { type Drawing, type DrawingBounds, drawing_bounds, openDrawings } from "./drawings.js";

const opened: ReturnType<typeof openDrawings>[] = [];
function open(bounds: Partial<DrawingBounds> = {}) {
  const drawings = openDrawings(createLog("silent"), { ...drawing_bounds, ...bounds });
  opened.push(drawings);
  return drawings;
}
afterAll(() => Promise.all(opened.map((drawings) => drawings.close())));

const aDrawing = (code: string): Drawing => ({ kind: "qr", code, size: 1, format: "png" });

test("more drawings than may wait are refused with 503 until one is done", async () => {
  const drawings = open({ waiting_max: 2 });
  // One is drawn, two wait.
  const drawn = ["a", "b", "c"].map((code) => drawings.draw(aDrawing(code)));
  expect(() => drawings.draw(aDrawing("d"))).toThrow(
    expect.objectContaining({ status: 503, headers: { "retry-after": "1" } }),
  );
  // Who asks for what is being drawn waits for no turn.
  expect(await drawings.draw(aDrawing("c"))).toBe(await drawn[2]);
  await drawings.draw(aDrawing("d"));
});

test("images are kept within so many bytes, and the one that was asked for longest ago goes first", async () => {
  const image = await open().draw(aDrawing("a"));
  const each = (image?.byteLength ?? 0) + 2 * "qr 1 png a".length;
  const drawings = open({ kept_bytes_max: 2 * each + each / 2 });
  await drawings.draw(aDrawing("a"));
  await drawings.draw(aDrawing("b"));
  expect(drawings.kept(aDrawing("a"))).toBeDefined();
  await drawings.draw(aDrawing("c"));
  expect(["a", "b", "c"].map((code) => drawings.kept(aDrawing(code)) !== undefined)).toEqual([true, false, true]);
});

test("what no symbol has signs for is not drawn, and known not to be", async () => {
  const drawings = open();
  const drawing: Drawing = { ...aDrawing("☂".repeat(200)), kind: "barcode" };
  expect(await drawings.draw(drawing)).toBeNull();
  expect(drawings.kept(drawing)).toBeNull();
});

test("a drawing that ends its thread is refused, and the next one is drawn by another", async () => {
  const drawings = open();
  const unreadable = { ...aDrawing("b"), size: 1n } as unknown as Drawing;
  const both = [drawings.draw(unreadable), drawings.draw(aDrawing("a"))];
  await expect(both[0]).rejects.toMatchObject({ status: 503 });
  expect(await both[1]).toBeInstanceOf(Uint8Array);
});
