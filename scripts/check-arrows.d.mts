export interface Module {
  source: string;
  dependencies: { resolved: string }[];
}

export function arrowProblems(root?: string): Promise<{ read: number; problems: string[] }>;
export function unread(root: string, modules: Module[]): string[];
export function bothWays(modules: Module[]): string[];
