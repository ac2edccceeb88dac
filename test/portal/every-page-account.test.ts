import { testEveryPage } from './every-page.ts';

testEveryPage('account');
