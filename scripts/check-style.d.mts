import type { Node, SourceFile } from "typescript";

export interface ParsedFile {
  path: string;
  text: string;
  tree: SourceFile;
  nodes: Node[];
}

export interface Problem {
  path: string;
  line: number;
  message: string;
}

type Check = (file: ParsedFile) => Problem[];

export const file_lines_max: number;
export const function_lines_max: number;
export function parse(path: string, text: string): ParsedFile;
export const checks: Check[];
export const noClockNoDice: Check;
export const noClockInSql: Check;
export const projectInEveryStatement: Check;
export const environmentInConfigOnly: Check;
export const noUnfinished: Check;
export const noAnyCast: Check;
export const noSkippedTest: Check;
export const recordedByChange: Check;
export const refusedByTheCatalogue: Check;
export const noWeakMapOfRequests: Check;
export function lengths(files: ParsedFile[], ratchet: Record<string, number>): Problem[];
export function oneWriterATable(files: ParsedFile[]): Problem[];
export const folder_files_max: number;
export function crowdedFolders(files: ParsedFile[]): Problem[];
export function lostPromises(root: string): Problem[];
export function styleProblems(files: ParsedFile[], ratchet: Record<string, number>): Problem[];
