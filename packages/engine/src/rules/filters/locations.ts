import { isObject } from "../properties.js";
import type { GeoPoint, Location } from "./contract.js";

const POINT = /^(?:geo:)?\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)$/;

/** Reads `geo:lat,lon` or `lat,lon`; null when it is no point on the globe. */
export function pointOf(value: unknown): GeoPoint | null {
  const parts = typeof value === "string" ? POINT.exec(value.trim()) : null;
  if (parts === null) return null;
  const [latitude, longitude] = [Number(parts[1]), Number(parts[2])];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}

/**
 * Compiles the shape of a location (vouchers-and-campaigns.md §18, rules.md §21): a circle, or polygons
 * whose first ring is the border and whose others are holes. A shape that cannot be read holds nothing.
 */
export function compileLocation(shape: unknown): Location {
  if (!isObject(shape)) return NOWHERE;
  if (shape.type === "circle") return circle(shape.distance);
  const polygons = polygonsOf(shape.geojson).map(polygon);
  return {
    work: polygons.reduce((sum, { work }) => sum + work, 0),
    holds: (point) => polygons.some(({ holds }) => holds(point)),
  };
}

const NOWHERE: Location = { work: 0, holds: () => false };

/** The rings of each polygon. */
function polygonsOf(geojson: unknown): readonly unknown[] {
  const { type, coordinates } = isObject(geojson) ? geojson : {};
  const polygons = type === "MultiPolygon" ? coordinates : type === "Polygon" ? [coordinates] : [];
  return Array.isArray(polygons) ? polygons : [];
}

const EARTH_RADIUS_M = 6_371_008.8;

const METRES: Readonly<Record<string, number>> = { "": 1, m: 1, km: 1000, mi: 1609.344 };

/** Metres; null when the text is no length. */
function lengthOf(radius: unknown): number | null {
  const parts = /^(\d+(?:\.\d+)?)\s*(km|mi|m)?$/.exec(String(radius ?? "").trim());
  return parts === null ? null : Number(parts[1]) * (METRES[parts[2] ?? ""] as number);
}

function circle(distance: unknown): Location {
  const { center, radius } = isObject(distance) ? distance : {};
  const [middle, radius_m] = [pointOf(center), lengthOf(radius)];
  if (middle === null || radius_m === null) return NOWHERE;
  return { work: 1, holds: (point) => distanceInMetres(middle, point) <= radius_m };
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

function distanceInMetres(a: GeoPoint, b: GeoPoint): number {
  const north = Math.sin(radians(b.latitude - a.latitude) / 2) ** 2;
  const east = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  const part = north + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * east;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(part)));
}

type Position = readonly [longitude: number, latitude: number];
type Edge = readonly [from: Position, to: Position];

function polygon(rings: unknown): Location {
  const [border, ...holes] = Array.isArray(rings) ? rings.map(edgesOf) : [];
  if (border === undefined || border.length < 3) return NOWHERE;
  return {
    work: [border, ...holes].reduce((sum, ring) => sum + ring.length, 0),
    holds: (point) => {
      if (isOnRing(border, point)) return true;
      if (!isWithin(border, point)) return false;
      return !holes.some((hole) => isWithin(hole, point) && !isOnRing(hole, point));
    },
  };
}

// GeoJSON writes the longitude first.
function edgesOf(ring: unknown): Edge[] {
  const positions = (Array.isArray(ring) ? ring : []).filter(
    (pair): pair is Position => Array.isArray(pair) && typeof pair[0] === "number" && typeof pair[1] === "number",
  );
  return positions.map((from, i) => [from, positions[(i + 1) % positions.length] as Position]);
}

/** Counts the edges that a line to the east crosses. */
function isWithin(ring: readonly Edge[], { latitude, longitude }: GeoPoint): boolean {
  let is_within = false;
  for (const [[x1, y1], [x2, y2]] of ring) {
    if (y1 > latitude === y2 > latitude) continue;
    if (longitude < x1 + ((latitude - y1) / (y2 - y1)) * (x2 - x1)) is_within = !is_within;
  }
  return is_within;
}

function isOnRing(ring: readonly Edge[], { latitude, longitude }: GeoPoint): boolean {
  return ring.some(([[x1, y1], [x2, y2]]) => {
    const cross = (longitude - x1) * (y2 - y1) - (latitude - y1) * (x2 - x1);
    const within = (value: number, a: number, b: number) => value >= Math.min(a, b) && value <= Math.max(a, b);
    return Math.abs(cross) < 1e-12 && within(longitude, x1, x2) && within(latitude, y1, y2);
  });
}

/** What is wrong with a shape that somebody sends, behind the path to it: `.type must be …`; null when nothing is. */
export function locationFault(shape: unknown): string | null {
  if (!isObject(shape)) return " must be object";
  const { type, format, distance, geojson } = shape;
  if (type === "circle") return format === "distance" ? circleFault(distance) : ".format must be distance";
  if (type === "polygon") return format === "geojson" ? geojsonFault(geojson) : ".format must be geojson";
  return ".type must be circle or polygon";
}

function circleFault(distance: unknown): string | null {
  if (!isObject(distance)) return ".distance must be object";
  if (pointOf(distance.center) === null) return ".distance.center must be a point: geo:LAT,LNG";
  const is_length = typeof distance.radius === "string" && (lengthOf(distance.radius) ?? 0) > 0;
  return is_length ? null : ".distance.radius must be a length: metres, or a number with m, km or mi behind it";
}

function geojsonFault(geojson: unknown): string | null {
  if (!isObject(geojson)) return ".geojson must be object";
  const { type, coordinates } = geojson;
  if (type !== "Polygon" && type !== "MultiPolygon") return ".geojson.type must be Polygon or MultiPolygon";
  const is_one = type === "Polygon";
  const polygons: readonly unknown[] = is_one ? [coordinates] : Array.isArray(coordinates) ? coordinates : [];
  if (polygons.length === 0) return ".geojson.coordinates must hold a polygon";
  for (const [i, rings] of polygons.entries()) {
    const at = is_one ? ".geojson.coordinates" : `.geojson.coordinates[${i}]`;
    if (!Array.isArray(rings) || rings.length === 0) return `${at} must hold a ring`;
    const wrong = rings.findIndex((ring) => !isRing(ring));
    if (wrong >= 0) return `${at}[${wrong}] must be a ring: 4 positions [LNG, LAT] or more, the last one as the first`;
  }
  return null;
}

function isRing(ring: unknown): boolean {
  if (!Array.isArray(ring) || ring.length < 4 || !ring.every(isPosition)) return false;
  const [first, last] = [ring[0], ring[ring.length - 1]] as [Position, Position];
  return first[0] === last[0] && first[1] === last[1];
}

function isPosition(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const [longitude, latitude] = value as unknown[];
  return isDegrees(longitude, 180) && isDegrees(latitude, 90);
}

const isDegrees = (value: unknown, max: number) => typeof value === "number" && Math.abs(value) <= max;
