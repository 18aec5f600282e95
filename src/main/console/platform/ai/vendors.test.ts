import { equal, test } from '../../base/testing';
import { linesOf, modelsOf } from './vendors';

test('models are typed one per line, and are shown unchanged later', () => {
  const models = modelsOf('small\n big | The big one\n\npaint | Painter | image ');
  equal(models, [
    { modelId: 'small', modelName: 'small', modelType: 'text' },
    { modelId: 'big', modelName: 'The big one', modelType: 'text' },
    { modelId: 'paint', modelName: 'Painter', modelType: 'image' },
  ]);
  equal(modelsOf(linesOf(models)), models);
});
