/**
 * Modules of the first load, injected into every file by the build: all pages then share them as one file. Without it the bundler
 * writes a file for each set of pages that use a module, and on a slow connection the delay of a file exceeds its transfer.
 */
import './frame/App';
import './frame/Page';
import './base/api/reliably';
import './base/download';
import './base/popup';
import './base/components/Combobox';
import './base/components/ConfirmDialog';
import './base/components/CopyButton';
import './base/components/DataTable';
import './base/components/Field';
import './base/components/FileDrop';
import './base/components/FilterChoice';
import './base/components/Panel';
import './base/components/RowMenu';
import './base/components/SecretDialog';
import './base/components/Tabs';
import './base/components/columns';
import './base/components/useFileDrop';
import './base/markdown/MarkdownView';
import './builder/canvas/PieceLogo';
import './builder/canvas/pieces';
import './builder/steps';
import './platform/Loaded';
import './platform/PlatformPage';
import './platform/usePlatform';
import './builder/data/words';
import './builder/fields/chips';
import './builder/fields/jsonTemplate';
import './builder/versions/diff';
import './people/model';
import './runs/JsonView';
import './runs/errors';
import './runs/model';
import './runs/status';
