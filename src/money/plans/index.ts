export { type PlanChange, setAccountPlans } from './account-plans.ts';
export { type BrandPlans, type Plan, readPlans } from './plans.ts';
export { type AccountPlans, readAccountPlans } from './reads.ts';
