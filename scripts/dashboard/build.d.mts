/** Builds the dashboard unless what is there was built from the same sources; answers whether something was built. */
export function buildDashboard(): Promise<boolean>;
