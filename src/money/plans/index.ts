export {
  type AccountPlans,
  type PlanChange,
  readAccountPlans,
  setAccountPlans,
} from './account-plans.ts';
export { planList, planSetting } from './operations.ts';
export { type BrandPlans, type Plan, readPlans } from './plans.ts';
