export class ShopRefused extends Error {}

export interface ShopService {
  url: string;
  /** The first project: whoever works there works in the shop too. */
  project_id: string;
  management_id: string;
  management_token: string;
}

export function openShop(
  service: ShopService & { report?: (percent: number) => void; before_poll?: () => unknown },
): Promise<string>;
export function removeShop(service: ShopService): Promise<string>;
