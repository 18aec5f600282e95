import { render } from 'preact';
import { GuestPage } from './GuestPage';
import { applyColor } from './page';
import { placeOf } from './place';

applyColor();
render(<GuestPage place={placeOf(location.pathname, location.search)} />, document.getElementById('guest')!);
