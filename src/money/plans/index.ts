export {
  type AccountPlans,
  type PlanChange,
  readAccountPlans,
  setAccountPlans,
} from './account-plans.ts';

export { type BrandPlans, type Plan, readPlans } from './plans.ts';
