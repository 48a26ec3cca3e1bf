import { problems } from "../../platform/http/problems.js";

/**
 * The codes of ISO 4217 as of 2026, and those that left it since 2023, in which shops still have their books. Written out, since what
 * Node knows differs by how it was built: some builds lack VED and XAU, and all of them know marks and francs that nobody pays with.
 */
const codes = `
  AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP
  CNY COP COU CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS
  INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK
  MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS
  SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XAG XAU XBA
  XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX YER ZAR ZMW ZWG ZWL`;
const currencies: ReadonlySet<string> = new Set(codes.trim().split(/\s+/));

/** Refuses a code that stands for no currency (platform.md §7.1): amounts in it could be shown to nobody. */
export function assertCurrency(currency: string | undefined): void {
  if (currency === undefined || currencies.has(currency)) return;
  throw problems.invalidPayload("Property .currency must be a currency code of ISO 4217");
}
