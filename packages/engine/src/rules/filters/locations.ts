import { isObject } from "../properties.js";
import type { GeoPoint } from "./contract.js";

const POINT = /^(?:geo:)?\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)$/;

/** Reads `geo:lat,lon` or `lat,lon`; null when it is no point on the globe. */
export function pointOf(value: unknown): GeoPoint | null {
  const parts = typeof value === "string" ? POINT.exec(value.trim()) : null;
  if (parts === null) return null;
  const [latitude, longitude] = [Number(parts[1]), Number(parts[2])];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}

/** Whether a point lies in a location, its border included. */
export type LocationTest = (point: GeoPoint) => boolean;

/**
 * Compiles the shape of a location (vouchers-and-campaigns.md §18, rules.md §21): a circle, or polygons
 * whose first ring is the border and whose others are holes. A shape that cannot be read holds nothing.
 */
export function compileLocation(shape: unknown): LocationTest {
  if (!isObject(shape)) return () => false;
  if (shape.type === "circle") return circle(shape.distance);
  const { type, coordinates } = isObject(shape.geojson) ? shape.geojson : {};
  const polygons = type === "MultiPolygon" ? coordinates : type === "Polygon" ? [coordinates] : [];
  const tests = Array.isArray(polygons) ? polygons.map(polygon) : [];
  return (point) => tests.some((test) => test(point));
}

const EARTH_RADIUS_M = 6_371_008.8;

const METRES: Readonly<Record<string, number>> = { "": 1, m: 1, km: 1000, mi: 1609.344 };

function circle(distance: unknown): LocationTest {
  const { center, radius } = isObject(distance) ? distance : {};
  const middle = pointOf(center);
  const parts = /^(\d+(?:\.\d+)?)\s*(km|mi|m)?$/.exec(String(radius ?? "").trim());
  if (middle === null || parts === null) return () => false;
  const radius_m = Number(parts[1]) * (METRES[parts[2] ?? ""] as number);
  return (point) => distanceInMetres(middle, point) <= radius_m;
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

function distanceInMetres(a: GeoPoint, b: GeoPoint): number {
  const north = Math.sin(radians(b.latitude - a.latitude) / 2) ** 2;
  const east = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  const part = north + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * east;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(part)));
}

type Ring = readonly (readonly [number, number])[];

function polygon(rings: unknown): LocationTest {
  const [border, ...holes] = Array.isArray(rings) ? rings.map(ringOf) : [];
  if (border === undefined || border.length < 3) return () => false;
  return (point) => {
    if (isOnRing(border, point)) return true;
    if (!isWithin(border, point)) return false;
    return !holes.some((hole) => isWithin(hole, point) && !isOnRing(hole, point));
  };
}

// GeoJSON writes the longitude first.
const ringOf = (ring: unknown): Ring =>
  (Array.isArray(ring) ? ring : []).flatMap((pair: unknown): [number, number][] =>
    Array.isArray(pair) && typeof pair[0] === "number" && typeof pair[1] === "number" ? [[pair[0], pair[1]]] : [],
  );

const edges = (ring: Ring) =>
  ring.map((from, i) => [from, ring[(i + 1) % ring.length] as readonly [number, number]] as const);

/** Counts the edges that a line to the east crosses. */
function isWithin(ring: Ring, { latitude, longitude }: GeoPoint): boolean {
  const crossed = edges(ring).filter(([[x1, y1], [x2, y2]]) => {
    if (y1 > latitude === y2 > latitude) return false;
    return longitude < x1 + ((latitude - y1) / (y2 - y1)) * (x2 - x1);
  });
  return crossed.length % 2 === 1;
}

function isOnRing(ring: Ring, { latitude, longitude }: GeoPoint): boolean {
  return edges(ring).some(([[x1, y1], [x2, y2]]) => {
    const cross = (longitude - x1) * (y2 - y1) - (latitude - y1) * (x2 - x1);
    const within = (value: number, a: number, b: number) => value >= Math.min(a, b) && value <= Math.max(a, b);
    return Math.abs(cross) < 1e-12 && within(longitude, x1, x2) && within(latitude, y1, y2);
  });
}
