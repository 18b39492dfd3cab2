question = In a graph, which pairs may attend at all?
doThis = Choose node 1, then make an edge to node 4: it is as red as 8 and takes half. Remove all its edges: the output is 0. Then give absent edges the score 0.
live = Along its first edges, to 5, 6 and 8, node 1 gives { $weights }.
contrast = There the mask is a band, the same for all frames. Here it is the graph: knowledge of who is related, which attention need not find.
history = Graph convolutions weigh neighbors by their number alone. Graph attention (2018) lets a node choose among them; GATv2 (2022) mended that all nodes ranked neighbors alike. Graph Transformers add pairs without an edge.

absent_edge =
    .question = Node 1 has no edge to 2, 3, 4 and 7. Their scores are set to 0, not to −∞. How much do they get together?
    .choice1 = nothing
    .choice2 = something
    .shown = With 0 they get { $zero } together, as exp(0) = 1. With −∞ they get { $masked }.

textbook1 =
    .writes = the attention score of nodes without an edge is set to 0
    .means = It is the weight that is 0, that is the score −∞. With the score 0 they would take part.
