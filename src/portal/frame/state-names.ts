import { catalog } from '../../language/catalog.ts';
import en from './state-names.en.json' with { type: 'json' };
import es from './state-names.es.json' with { type: 'json' };

/** Names of the states of requests and mandates. */
export const stateNames = catalog({ en, es });
