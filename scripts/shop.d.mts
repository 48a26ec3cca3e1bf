export class ShopRefused extends Error {}

export interface ShopService {
  url: string;
  /** The first project: whoever works there works in the shop too. */
  project_id: string;
  management_id: string;
  management_token: string;
}

export interface Shop {
  project_id: string;
  app_id: string;
  app_token: string;
  /** Names. */
  campaigns: string[];
  customers: number;
  orders: number;
  redeemed: number;
  refused: number;
  rolled_back: number;
}

export function openShop(
  service: ShopService & { report?: (said: string) => void; before_poll?: () => unknown; now?: number },
): Promise<Shop>;
export function removeShop(service: ShopService): Promise<string>;
