/** A module of a user's own whose worker serves models. */
import { modelFunctions } from 'fovea/models';
import { serve } from 'fovea/serve';

serve({ functions: modelFunctions });
