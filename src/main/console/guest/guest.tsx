import { render } from 'preact';
import { GuestPage } from './GuestPage';

render(<GuestPage />, document.getElementById('console')!);
