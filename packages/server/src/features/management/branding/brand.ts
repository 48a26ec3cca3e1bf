import type { Instant } from "../../../platform/clock.js";
import type { BrandBody, BrandCreate, BrandUpdate } from "./brand.schemas.js";

/** Who a project is to whoever gets its mail (platform.md §10). */
export interface Brand extends BrandBody {
  created_at: Instant;
  updated_at: Instant | null;
}

const reminder = "You are receiving this email because you opted in at our website.";

/** The brand with what was sent laid over it, field by field. */
export function brandWith(stored: Partial<BrandBody>, sent: BrandCreate | BrandUpdate): Omit<BrandBody, "id"> {
  const brand = { ...no_brand, ...stored.brand, ...sent.brand };
  return {
    brand: { ...brand, permission_reminder: brand.permission_reminder ?? reminder },
    address: { ...no_address, ...stored.address, ...sent.address },
    contact: { ...no_contact, ...stored.contact, ...sent.contact },
  };
}

const no_brand = {
  ...{ name: "", privacy_policy_url: null, terms_of_use_url: null },
  ...{ permission_reminder: null as string | null, website_url: null },
};
const no_address = { street: "", city: "", postal: null, state: null, country: "" };
const no_contact = { email: "", phone: null };

const isUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
const isHost = (text: string) => /^[^\s/@]+\.[^\s/@]+(\/\S*)?$/.test(text) && URL.canParse(`https://${text}`);
const isEmail = (text: string) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text);

/** What is wrong with addresses that were sent, as a sentence of the details; null when nothing is. */
export function brandFault({ brand, contact }: BrandCreate | BrandUpdate): string | null {
  for (const name of ["privacy_policy_url", "terms_of_use_url"] as const) {
    const url = brand?.[name];
    if (url && !isUrl(url)) return `Property .brand.${name} must match format "uri"`;
  }
  const website = brand?.website_url;
  if (website && !isUrl(website) && !isHost(website)) return 'Property .brand.website_url must match format "uri"';
  const email = contact?.email;
  return email !== undefined && !isEmail(email) ? 'Property .contact.email must match format "email"' : null;
}
