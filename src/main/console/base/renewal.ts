import { createStore } from './store';

/** Number of times that the user has signed in again on this page: what failed meanwhile is asked for again. */
export const renewals = createStore(0);
