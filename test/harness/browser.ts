export { launchBrowser } from '../../tools/browser.ts';
