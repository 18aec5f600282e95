import { createStore } from './store';

/** Number of new sign-ins on this page: queries that failed meanwhile are repeated. */
export const renewals = createStore(0);
