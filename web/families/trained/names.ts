/** The mechanisms that have trained weights, by their ids in the catalog: files public/trained/ID.json and its checkpoints. */
export const TRAINED: readonly string[] = [
  ...['bahdanau', 'pointer_network', 'self_attention', 'hierarchical_attention'],
  ...['pointer_generator', 'attention_over_attention', 'key_value_memory', 'graph_attention'],
];
