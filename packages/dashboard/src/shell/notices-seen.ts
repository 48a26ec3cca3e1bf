import { keep, kept } from "./kept.js";

/** The newest notice that somebody has read here; ids grow with time. */
export const seenNotice = (project_id: string): string => kept(`notices.${project_id}`) ?? "";

export const rememberNotice = (project_id: string, id: string): void => keep(`notices.${project_id}`, id);
