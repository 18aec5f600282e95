import { render } from 'preact';
import './base/appearance';
import { listenToKeys } from './base/commands';
import { App } from './frame/App';

listenToKeys();
render(<App />, document.getElementById('console')!);
