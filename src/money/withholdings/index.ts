export { type RateHistory, rateRulings, readRateHistory } from './history.ts';
export {
  type ImportedRegister,
  importTaxpayerRates,
  lastRegisters,
  type RatesReport,
} from './import.ts';
export {
  readWithholdingRates,
  type Withholding,
  type WithholdingRate,
  withholdingsOn,
} from './withholdings.ts';
